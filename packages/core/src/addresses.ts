export { isLoopbackAddress, isLoopbackHost } from './addresses/loopback-host.ts'
export { embeddedAddress, isPublicAddress } from './addresses/public-address.ts'
