import { media } from '../../../media.ts'

const handle = (request: Request) => media().v1(request)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS }
export { handle as PATCH, handle as POST, handle as PUT }
