// Update a part of the page until its result is available. `data-poll` is the URL of a page with the same
// part. The script requests it with growing pauses until the part has no `data-poll`.
const FIRST = 700;
const LONGEST = 5000;

async function watch(part) {
  let pause = FIRST;
  while (part && part.dataset.poll) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 1.5, LONGEST);
    if (document.hidden) continue;
    let text;
    try {
      const answer = await fetch(part.dataset.poll, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) continue;
      text = await answer.text();
    } catch {
      continue; // network error, try again
    }
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
    if (!fresh) return;
    // Don't replace an unchanged part, so that neither readers nor screen readers are disturbed.
    if (fresh.outerHTML === part.outerHTML) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    part.replaceWith(fresh);
    if (focused) fresh.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    part = fresh;
    if (part.dataset.poll) continue;
    // Announce the result to screen readers once, at the end.
    const live = document.querySelector("[data-live]");
    const told = part.querySelector("[data-told]");
    if (live && told) live.textContent = told.textContent.replace(/\s+/g, " ").trim();
  }
}

document.documentElement.classList.add("js");
document.querySelectorAll("[data-poll]").forEach(watch);
