import { media } from '../../../../media'

const handle = (request: Request) => media().fetch(request)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS }
export { handle as PATCH, handle as POST, handle as PUT }
