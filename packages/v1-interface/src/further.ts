export { furtherInterface } from './further/further-interface.ts'
