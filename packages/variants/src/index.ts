export { variants, type VariantsOptions } from './plugin/variants-plugin.ts'
