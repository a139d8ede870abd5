{# The worker that runs the engine. It loads Pyodide, and the package `tarock` and the kernel for endings from this
script’s folder. The kernel gets a fresh memory for each position, as on the server. #}
const FOLDER = {{ folder|tojson }};

const answer = (async () => {
  const { loadPyodide } = await import(`${FOLDER}pyodide.mjs`);
  const [python, packed] = await Promise.all([loadPyodide({ indexURL: FOLDER }), fetch("tarock.zip")]);
  if (!packed.ok) throw new Error(`status ${packed.status}`);
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  const module = await WebAssembly.compile(python.FS.readFile("/engine/kernel.wasm"));
  const kernel = (words, nodes, bits) => {
    const { memory, input_place, output_place, solve } = new WebAssembly.Instance(module).exports;
    new Int32Array(memory.buffer, input_place()).set(words.toJs());
    return new Int32Array(memory.buffer, output_place(), solve(bits, nodes));
  };
  const { answer } = python.pyimport("tarock.view.answers.questions");
  return (question) => answer(question, kernel);
})();

answer.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

addEventListener("message", async ({ data: { id, question } }) => {
  try {
    postMessage({ id, answer: (await answer)(question) });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
});
