export type { UploadOptions } from './uploads/upload-options.ts'
export { uploads } from './uploads/uploads-plugin.ts'
