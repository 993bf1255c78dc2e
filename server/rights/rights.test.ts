import { describe, expect, it, vi } from 'vitest'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import type { Tx } from '../db/database.ts'
import type { Call, Request } from '../http/serve.ts'
import type { Session } from '../session/session.ts'
import { checked, isAllowed, provenIn } from './rights.ts'

const holding = (...perms: string[]) => ({ perms: new Set(perms) }) as unknown as Session
const endpoint = (o: Partial<Endpoint>) => ({ path: '/loan/page', ...o }) as Endpoint

describe('who may call an endpoint', () => {
  it.each<[string, string[], Partial<Endpoint>, boolean]>([
    ['everybody, where it asks for nothing', [], {}, true],
    ['everybody, where it asks for nothing, whatever they hold', ['b'], {}, true],
    ['who holds its code', ['a', 'b'], { perm: 'a' }, true],
    ['not who holds another', ['b'], { perm: 'a' }, false],
    ['not who holds nothing', [], { perm: 'a' }, false],
    ['who holds the first of those that will do', ['a'], { anyPerm: ['a', 'b'] }, true],
    ['who holds the last of those that will do', ['b'], { anyPerm: ['a', 'b'] }, true],
    ['nobody, where the list of those that will do is empty', ['a'], { anyPerm: [] }, false],
    ['not who holds none of those', ['c'], { anyPerm: ['a', 'b'] }, false],
    ['who holds its code, where others will do too', ['a'], { perm: 'a', anyPerm: ['b'] }, true],
    ['who holds another that will do', ['b'], { perm: 'a', anyPerm: ['b'] }, true],
    ['not who holds neither', ['c'], { perm: 'a', anyPerm: ['b'] }, false],
  ])('%s', (_, perms, asked, expected) => {
    expect(isAllowed(holding(...perms), endpoint(asked))).toBe(expected)
  })
})

describe('a proof of who the caller is', () => {
  const call = () => ({ proven: vi.fn<Call['proven']>(async () => {}) })

  it('is asked for with the code of an endpoint that always wants one', async () => {
    const { proven } = call()
    await checked(endpoint({ perm: 'a', stepUp: true }), { proven } as unknown as Call)
    expect(proven.mock.calls).toEqual([['a']])
  })

  it.each([undefined, 'ofRecord'] as const)('is not asked for beforehand where the endpoint says %s', async stepUp => {
    const { proven } = call()
    await checked(endpoint({ perm: 'a', stepUp }), { proven } as unknown as Call)
    expect(proven).not.toHaveBeenCalled()
  })

  it('cannot be asked for without a code: the contract is wrong, and says where', async () => {
    const { proven } = call()
    await expect(checked(endpoint({ stepUp: true }), { proven } as unknown as Call)).rejects.toThrow(
      '/loan/page asks for a proof and has no operation code',
    )
    expect(proven).not.toHaveBeenCalled()
  })

  it('cannot be had from somebody without a session', async () => {
    const proven = provenIn({} as Tx, { request: {} as Request })
    await expect(proven('a')).rejects.toThrow('nobody without a session can prove who they are')
  })
})
