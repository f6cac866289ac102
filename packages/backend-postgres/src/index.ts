export { postgresBackend, type PostgresBackendOptions } from './postgres/postgres-backend.ts'
export { postgresMigrations, type PostgresMigration } from './postgres/migrations.ts'
export type {
  PostgresClient,
  PostgresPool,
  PostgresResult,
  PostgresStatement,
} from './postgres/postgres-pool.ts'
