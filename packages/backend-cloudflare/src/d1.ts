export { d1Backend, type D1BackendOptions } from './d1/d1-backend.ts'
export type { D1, D1Result, D1Statement } from './d1/d1-database.ts'
