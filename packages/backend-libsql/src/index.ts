export { libsqlBackend, type LibsqlBackendOptions } from './libsql/libsql-backend.ts'
export type { LibsqlClient, LibsqlRows } from './libsql/libsql-client.ts'
