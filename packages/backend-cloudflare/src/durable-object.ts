export {
  durableObjectBackend,
  type DurableObjectBackend,
  type DurableObjectBackendOptions,
} from './durable-object/durable-object-backend.ts'
export type { ObjectRow, ObjectRows, ObjectStorage } from './durable-object/object-storage.ts'
