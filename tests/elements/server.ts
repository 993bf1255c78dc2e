import { until } from './page.ts'

/** One request as the server got it. */
export type Sent = { path: string; token: string | null; key: string | null; version: string | null; body: unknown }
type Answer = { code: number; msg?: string; data?: unknown } | 'no answer'

/** A token of a partner's page: seconds that it and its successors live, and the pages that it covers. */
export type Embedded = { expiresIn: number; renewable?: boolean; paths?: string[] }

const self = (userNo: string, embedded?: Embedded) => ({
  userInfo: {
    userNo,
    userName: userNo,
    realName: userNo,
    loginId: userNo,
    deptNo: 'D1',
    deptName: 'Finance',
    organNo: 'O1',
    principalMerchantNo: 'M1',
    associatedMerchantNos: [],
    extensionNo: null,
    isDesensitization: false,
    lastLoginTime: null,
    lastLoginIp: null,
  },
  userMenu: [
    {
      menuNo: '1',
      menuName: 'Fixture',
      menuType: 'page',
      perms: 'fixture:page',
      externalUrl: null,
      icon: null,
      sort: 1,
      childList: [
        {
          menuNo: '2',
          menuName: 'Write off',
          menuType: 'button',
          perms: 'fixture:note',
          externalUrl: null,
          icon: null,
          sort: 1,
          childList: [],
        },
      ],
    },
  ],
  allowedPaths: embedded?.paths ?? [],
  sensitivePerms: [],
  passwordUpdateStatus: 0,
  ...(embedded
    ? { embedded: { expiresIn: embedded.expiresIn, renewable: embedded.renewable ?? true, moneyCommands: [] } }
    : {}),
})

const issued = (token: string, expiresIn: number) => ({
  token,
  expireTime: '2026-03-02T07:15:00Z',
  expiresIn,
  refreshUntil: '2026-03-02T15:00:00Z',
})

const row = (userNo: string) => ({ orderNo: `ORDER-OF-${userNo.toUpperCase()}`, loanAmount: '1000.00' })
const original = window.fetch

/** A server of the fixture list in the place of `fetch`: whose each token is, what it was sent, and what it refuses. */
export const fakeServer = (people: Record<string, string>, embedded?: Embedded) => {
  const sent: Sent[] = []
  const instead = new Map<string, Answer>()
  const answer = (path: string, token: string | null): Answer => {
    const scripted = instead.get(path)
    if (scripted) return scripted
    const userNo = token === null ? undefined : people[token]
    if (!userNo) return { code: -10, msg: 'Your session has ended' }
    if (path === '/user/self') return { code: 0, data: self(userNo, embedded) }
    if (path === '/embed/refresh') {
      people[`${token}+`] = userNo
      return { code: 0, data: issued(`${token}+`, 900) }
    }
    if (path === '/fixture/note') return { code: 0, data: {} }
    if (path === '/user/view/page') return { code: 0, data: { list: [], total: 0, pageNum: 1, pageSize: 100 } }
    return { code: 0, data: { list: [row(userNo)], total: 1, pageNum: 1, pageSize: 20 } }
  }
  window.fetch = async (target, init) => {
    const url = new URL(String(target), location.href)
    if (!url.pathname.startsWith('/api/hc/web')) return original(target, init)
    const path = url.pathname.slice('/api/hc/web'.length)
    const headers = new Headers(init?.headers)
    const token = headers.get('token')
    sent.push({
      path,
      token,
      key: headers.get('Idempotency-Key'),
      version: headers.get('X-Mkopo-Version'),
      body: init?.body ? JSON.parse(String(init.body)) : null,
    })
    await new Promise(resolve => requestAnimationFrame(resolve))
    const given = answer(path, token)
    if (given === 'no answer') throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ msg: '', data: null, ...given }))
  }
  return {
    sent,
    people,
    /** Answers a path in another way until the next change. */
    answer: (path: string, as: Answer | undefined) => (as ? instead.set(path, as) : instead.delete(path)),
    to: (path: string) => sent.filter(one => one.path === path),
    heard: (path: string, times: number) =>
      until(`${times} × ${path}`, () => sent.filter(one => one.path === path).length >= times),
  }
}

/** Puts the browser's own `fetch` back. */
export const realServer = () => {
  window.fetch = original
}
