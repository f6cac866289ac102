export {
  type FieldSchema,
  type ModelField,
  modelFields,
  type ModelFields,
  jsonTypeOf,
} from './fields/model-fields.ts'
