import { codes } from '../contract/codes.ts'
import { user } from '../contract/user.ts'
import { call, type Server } from './call.ts'
import { CallError } from './errors.ts'

/** Whose token it is; `refused` when it is nobody's, undefined when that cannot be known now. */
export type Identity = { userNo: string } | 'refused' | undefined

const asked = new Map<string, Promise<Identity>>()

const ask = async (server: Server): Promise<Identity> => {
  try {
    const { userInfo } = await call(server, user.self, {}, { background: true })
    return { userNo: userInfo.userNo }
  } catch (error) {
    return error instanceof CallError && error.code === codes.signedOut ? 'refused' : undefined
  }
}

/** Asks the server who a new token belongs to; several widgets that ask at once send one request. */
export const identify = (server: Server): Promise<Identity> => {
  const key = `${server.baseUrl} ${server.token()}`
  const running = asked.get(key)
  if (running) return running
  const answer = ask(server).finally(() => asked.delete(key))
  asked.set(key, answer)
  return answer
}
