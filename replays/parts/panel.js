// --- the panel: on a small screen a sheet over the table ---

const panel = byId("panel");

function closePanel() {
  if (panel.contains(document.activeElement)) byId("panel-link").focus();
  panel.classList.remove("is-open");
  byId("panel-link").setAttribute("aria-expanded", "false");
}

byId("panel-link").addEventListener("click", (event) => {
  event.preventDefault();
  byId("panel-link").setAttribute("aria-expanded", String(panel.classList.toggle("is-open")));
});
byId("close-panel").addEventListener("click", closePanel);
