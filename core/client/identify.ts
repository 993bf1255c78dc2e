import { codes } from '../contract/codes.ts'
import { type Self, user } from '../contract/user/user.ts'
import { call, type Server } from './call.ts'
import { CallError } from './errors.ts'
import { scopeOf } from './scope.ts'

/** Whose token it is; `refused` when it is nobody's, undefined when that cannot be known now. */
export type Identity = { userNo: string } | 'refused' | undefined

const asked = new Map<string, Promise<Identity>>()

/** Takes note of whose token it is, and of when it has to be renewed. */
export const learn = (server: Server, { userInfo, embedded }: Self) => {
  const token = server.token()
  if (!token) return
  scopeOf(token).userNo = userInfo.userNo
  if (!embedded?.renewable) return
  const end = Date.now() + embedded.expiresIn * 1000
  void import('./renewal.ts').then(({ renewBefore }) => renewBefore(end, server, token))
}

const ask = async (server: Server): Promise<Identity> => {
  try {
    const self = await call(server, user.self, {}, { background: true })
    learn(server, self)
    return { userNo: self.userInfo.userNo }
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
