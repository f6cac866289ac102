export {
  provenance,
  type ProvenanceOptions,
  type SignedFile,
  type SignFile,
} from './plugin/provenance-plugin.ts'
export { type Provenance, readProvenance } from './reading/read-provenance.ts'
export type { DigitalSourceType } from './xmp/mark.ts'
