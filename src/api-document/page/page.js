SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#page',
  docExpansion: 'list',
  // Each operation shows its schemas.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  // Otherwise the page would request a badge from another host.
  validatorUrl: null,
  // A browser remembers credentials from its own dialog, and sends them with requests of other pages. So requests only use
  // credentials that were typed into the page.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
});
