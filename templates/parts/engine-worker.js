{# The worker that runs the engine. It loads Pyodide, and the package `tarock` from this script’s folder. #}
const FOLDER = {{ folder|tojson }};

const answer = (async () => {
  const { loadPyodide } = await import(`${FOLDER}pyodide.mjs`);
  const [python, packed] = await Promise.all([loadPyodide({ indexURL: FOLDER }), fetch("tarock.zip")]);
  if (!packed.ok) throw new Error(`status ${packed.status}`);
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  return python.pyimport("tarock.view.answers.questions").answer;
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
