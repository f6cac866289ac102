export {
  durableObjectBackend,
  type DurableObjectBackend,
  type DurableObjectBackendOptions,
} from './durable-object/durable-object-backend.ts'
export type { ObjectStorage, ObjectRow } from './durable-object/object-storage.ts'
