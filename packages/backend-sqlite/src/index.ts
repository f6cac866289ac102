export { sqliteBackend, type SqliteBackendOptions } from './sqlite/sqlite-backend.ts'
