SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#page',
  docExpansion: 'list',
  // The schemas stand with each operation.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  // Or a badge would be asked for at another host.
  validatorUrl: null,
  // A browser that is asked for credentials remembers them, and sends them with whatever another page makes it do:
  // here they are sent only where they were typed into the page.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
});
