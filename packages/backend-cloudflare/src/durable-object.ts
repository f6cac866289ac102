export type { ObjectStorage, Row } from './durable-object/object-storage.ts'
