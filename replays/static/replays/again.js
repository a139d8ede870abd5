// Signing in from another tab gives the browser a new CSRF token, so send the new one.
const form = document.querySelector("[data-again]");
form.addEventListener("submit", () => {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (token) form.elements.csrfmiddlewaretoken.value = token;
});
