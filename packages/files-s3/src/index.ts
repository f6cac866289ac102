export { s3Files, type S3FilesOptions } from './store/s3-files.ts'
export type { S3Credentials } from './bucket/credentials.ts'
