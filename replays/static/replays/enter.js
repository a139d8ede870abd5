// Enter sends a form from its selects, too, as it does from text fields.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("form[method=get] select")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
