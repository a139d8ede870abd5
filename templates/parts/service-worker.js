{# Keeps the page of the evening app and its files on the phone, for offline use. #}
const SHELL = "shell-{{ version }}";
const FILES = {{ files|tojson }};
const PAGE = {{ page|tojson }};
const SLOW = 3000; // milliseconds to wait for the network before using the cached page

addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(SHELL).then((cache) => cache.addAll([PAGE, ...FILES])).then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("shell-") && name !== SHELL;
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

const found = (request) => caches.match(request, { ignoreVary: true });

// Return the page from the network, or from the cache if the network is slow or away.
async function page() {
  const fresh = fetch(PAGE).then(async (answer) => {
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    await (await caches.open(SHELL)).put(PAGE, answer.clone());
    return answer;
  });
  const here = await found(PAGE);
  if (!here) return fresh;
  const slow = new Promise((resolve) => setTimeout(resolve, SLOW, here));
  return Promise.race([fresh.catch(() => here), slow]);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (address.pathname === PAGE) event.respondWith(page());
    return;
  }
  if (/\.json$/.test(address.pathname) && !address.pathname.includes("/pyodide-")) return;
  event.respondWith(found(request).then((here) => here ?? fetch(request)));
});
