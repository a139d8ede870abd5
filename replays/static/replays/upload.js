// Drag and drop of files on the whole upload page. The form also works without this script.
const form = document.querySelector("[data-upload]");
const input = form.querySelector('input[type="file"]');
const chosen = form.querySelector("[data-chosen]");

document.documentElement.classList.add("js");
form.querySelector("[data-drop-hint]").hidden = false;

// List several files by name. The file input itself names a single file, but only counts several.
function show() {
  const files = Array.from(input.files);
  chosen.replaceChildren(
    ...(files.length > 1 ? files : []).map((file) => {
      const item = document.createElement("li");
      item.textContent = file.name;
      return item;
    }),
  );
}

// Remove old errors, which don't apply to the new input.
function changed() {
  document.getElementById("errors")?.remove();
  show();
}

input.addEventListener("change", changed);
form.querySelector("textarea").addEventListener("input", changed);
// Files may have been chosen before this script was loaded.
show();

let depth = 0;
const isFiles = (event) => Array.from(event.dataTransfer?.types ?? []).includes("Files");
addEventListener("dragenter", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  depth += 1;
  document.body.classList.add("dragging");
});
addEventListener("dragleave", (event) => {
  if (!isFiles(event)) return;
  depth = Math.max(0, depth - 1);
  if (!depth) document.body.classList.remove("dragging");
});
addEventListener("dragover", (event) => {
  if (isFiles(event)) event.preventDefault();
});
addEventListener("drop", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  depth = 0;
  document.body.classList.remove("dragging");
  input.files = event.dataTransfer.files;
  changed();
  form.querySelector('button[type="submit"]').focus();
});
