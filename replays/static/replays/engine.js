// The engine. It runs in a web worker once it is prepared, and until then on the server. Both give the same
// answers. `tarockEngine.onchange` is called when its `state` or `progress` changes.

const about = JSON.parse(document.getElementById("engine").textContent);
const CACHE = `engine-${about.version}`;
const ABOUT = "/evenings/engine/about"; // cache key of the description, which only complete caches contain
const waiting = new Map();
let worker = null;
let ready = null; // a promise of the worker, once preparation starts
let number = 0;

export const tarockEngine = { state: "", progress: 0, version: about.version, onchange() {}, ask, prepare, token };

function become(state, progress = 0) {
  tarockEngine.state = state;
  tarockEngine.progress = progress;
  tarockEngine.onchange();
}

// Fetch all missing files into this version's cache. Then store the description, and delete older caches.
async function fetchAll() {
  if (!self.caches) return about; // without HTTPS there is no cache storage
  const cache = await caches.open(CACHE);
  let bytes = 0;
  const count = (more) => become("loading", Math.min(1, (bytes += more) / about.bytes));
  for (const file of about.files) {
    const here = await cache.match(file);
    if (!here) await cache.put(file, await counted(file, count));
    else count((await here.blob()).size);
  }
  await cache.put(ABOUT, new Response(JSON.stringify(about)));
  for (const name of await caches.keys()) {
    if (name.startsWith("engine-") && name !== CACHE) await caches.delete(name);
  }
  return about;
}

// Fetch a file and count its bytes as they arrive.
async function counted(file, count) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: status ${answer.status}`);
  const chunks = [];
  for (let reader = answer.body.getReader(), part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    count(part.value.length);
  }
  const headers = new Headers(answer.headers);
  headers.delete("Content-Encoding"); // the bytes are already decompressed
  headers.delete("Content-Length");
  return new Response(new Blob(chunks), { headers });
}

// Return a complete engine of an older version, to use while the network is down.
async function former() {
  for (const name of (await self.caches?.keys()) ?? []) {
    const found = name.startsWith("engine-") && (await (await caches.open(name)).match(ABOUT));
    if (found) return found.json();
  }
  return null;
}

function start(which) {
  return new Promise((resolve, reject) => {
    const made = new Worker(which.worker, { type: "module" });
    const fail = (why) => {
      for (const { reject: refuse } of waiting.values()) refuse(new Error(why));
      waiting.clear();
      made.terminate();
      worker = null;
      ready = null;
      become("");
      reject(new Error(why));
    };
    made.addEventListener("error", (event) => fail(event.message || "the engine did not start"));
    made.addEventListener("message", ({ data }) => {
      if (data.ready) {
        worker = made;
        tarockEngine.version = which.version;
        become("ready", 1);
        resolve(made);
      } else if (data.id === undefined) fail(data.failed);
      else {
        const { resolve: give, reject: refuse } = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.answer === undefined) refuse(new Error(data.failed));
        else give(JSON.parse(data.answer));
      }
    });
  });
}

// Load the engine, so that it works offline from then on.
function prepare() {
  if (ready) return ready;
  become("loading");
  ready = fetchAll()
    .catch(async (error) => {
      const other = await former();
      if (other) return other;
      throw error;
    })
    .then(start);
  ready.catch(() => {
    ready = null;
    become("");
  });
  return ready;
}

function askWorker(question) {
  return new Promise((resolve, reject) => {
    waiting.set(++number, { resolve, reject });
    worker.postMessage({ id: number, question: JSON.stringify(question) });
  });
}

// Return the CSRF token from the cookie. If there is no cookie, make a request that sets it.
async function token() {
  const found = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (!found()) await fetch(about.token, { cache: "no-store" });
  return found() ?? "";
}

async function askServer(question) {
  const answer = await fetch(about.ask, {
    method: "POST",
    body: JSON.stringify(question),
    headers: { "Content-Type": "application/json", "X-CSRFToken": await token() },
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

// Answer a question. `local`: ask only the worker, and send nothing.
async function ask(question, { local = false } = {}) {
  if (worker) return askWorker(question);
  if (!local) {
    try {
      return await askServer(question);
    } catch (error) {
      if (!ready) throw error;
    }
  }
  await prepare();
  return askWorker(question);
}

// If a version of the engine was prepared earlier, load the current one whenever the page is opened.
self.caches?.keys().then((names) => {
  if (names.some((name) => name.startsWith("engine-"))) prepare().catch(() => {});
});
