export default { fetch: () => new Response('{}', { status: 404 }) }
