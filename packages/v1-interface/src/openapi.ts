export { openapiDocument, type OpenapiDocumentOptions } from './openapi/openapi-document.ts'
