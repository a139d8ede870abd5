// Buttons that send a text to other apps or, where the browser can't, copy it. `data-share` is the id of the
// text field, which is inside a <details>. Links with `data-share-file` send the picture to which they lead; where
// the browser can't, it saves the picture.
for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button || button.textContent === button.dataset.done) return;
  const field = document.getElementById(button.dataset.share);
  try {
    if (navigator.share) {
      const { value } = field;
      await navigator.share(/^https?:\S+$/.test(value) ? { url: value, title: document.title } : { text: value });
      return;
    }
    await navigator.clipboard.writeText(field.value); // needs HTTPS
  } catch (error) {
    if (error.name === "AbortError") return; // the user closed the browser's dialog
    field.closest("details").open = true;
    field.select();
    return;
  }
  const label = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = label), 1500);
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share-file]");
  const type = "image/png";
  if (!link || !navigator.canShare?.({ files: [new File([], link.download, { type })] })) return;
  event.preventDefault();
  try {
    const picture = await (await fetch(link.href)).blob();
    await navigator.share({ files: [new File([picture], link.download, { type })], title: document.title });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href); // the user did not close the dialog
  }
});
