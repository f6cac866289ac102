export { operator, type OperatorOptions } from './plugin/operator-plugin.ts'
