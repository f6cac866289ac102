export { libsqlBackend, type LibsqlBackendOptions } from './libsql/libsql-backend.ts'
export type { LibsqlClient } from './libsql/libsql-client.ts'
