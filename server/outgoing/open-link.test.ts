import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type AskOnce, askPublic, openLink } from './open-link.ts'

const hosts = ['apply.quicklend.example', '*.fast.example']
const answering =
  (replies: Record<string, { status: number; location?: string }>, asked: string[] = []): AskOnce =>
  async url => {
    asked.push(url.href)
    const { status, location } = replies[url.href] ?? { status: 404 }
    return { status, location }
  }

describe('a link of a partner', () => {
  it('is fine when it answers, also after a redirect on allowed hosts', async () => {
    const open = openLink(
      answering({
        'https://apply.quicklend.example/a': { status: 302, location: 'https://eu.fast.example/b' },
        'https://eu.fast.example/b': { status: 301, location: '/c' },
        'https://eu.fast.example/c': { status: 200 },
      }),
    )
    expect(await open('https://apply.quicklend.example/a', hosts)).toBeNull()
  })

  it.each([
    ['https://apply.quicklend.example/gone', 'status'],
    ['http://apply.quicklend.example/', 'host'],
    ['https://elsewhere.example/', 'host'],
  ])('%s is not: %s', async (link, fault) => {
    expect(await openLink(answering({}))(link, hosts)).toBe(fault)
  })

  it.each([
    'https://elsewhere.example/',
    'https://169.254.169.254/latest',
    'http://apply.quicklend.example/x',
    'javascript:alert(1)',
  ])('that leads on to %s is not followed there', async location => {
    const asked: string[] = []
    const from = 'https://apply.quicklend.example/a'
    expect(await openLink(answering({ [from]: { status: 302, location } }, asked))(from, hosts)).toBe('redirect')
    expect(asked).toEqual([from])
  })

  it('ends when it turns in a circle', async () => {
    const from = 'https://apply.quicklend.example/a'
    expect(await openLink(answering({ [from]: { status: 302, location: from } }))(from, hosts)).toBe('redirect')
  })
})

it('a name that leads to this machine is not connected to', async () => {
  let reached = 0
  const server = createServer(() => void reached++).on('connection', () => void reached++)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  const host = new URL(`https://localhost:${port}/`)
  await expect(askPublic(host, { method: 'GET' })).rejects.toMatchObject({ name: 'PrivateAddress' })
  server.close()
  expect(reached).toBe(0)
})
