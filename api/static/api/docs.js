// Draws the page from the schema. A file of its own, since the site's policy allows no script inside a page.
"use strict";
{
  const place = document.getElementById("api-docs");
  window.SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
}
