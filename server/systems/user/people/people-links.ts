import { sql } from 'kysely'
import { people } from '../../../../core/contract/user/people.ts'
import { text } from '../../../../core/i18n/server.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import type { Letter, Letters } from '../../../gateways/letters/letter-folder.ts'
import { serve } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { NetworkHandler } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { endAccess, noPassword } from '../../../session/person.ts'
import { mayEnter } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { makeLink } from '../sign-in/index.ts'
import { peopleBlocks } from './people-blocks.ts'
import { channelOf, lockPerson, type Person } from './people-source.ts'

const queue = 'user.link'

/** Has a one-time link sent to a person. It is made when it is sent, and kept nowhere. */
export const sendLink = (tx: Tx, { userNo }: Pick<Person, 'userNo'>, { requestId }: Actor): Promise<boolean> =>
  enqueue(tx, queue, `${userNo} ${requestId}`, { userNo })

const reset = serve(people.resetPwd, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  await peopleBlocks.check(call, people.resetPwd, person.userNo)
  const way = channelOf(person)
  if (!way) throw new Error(`${person.userNo} cannot be reached and was not refused`)
  const set = { passwordHash: noPassword, passwordUpdateStatus: 1 }
  await transition(tx, 'userAccount', person, { event: 'user.resetPwd', set }, actor)
  const ended = await endAccess(tx, person.userNo, 'user.resetPwd', actor)
  await sendLink(tx, person, actor)
  const sentTo = mask(way.to)
  audit({ objectType: 'user', objectNo: person.userNo, after: { channel: way.channel, sentTo, ended } })
  return { channel: way.channel, sentTo, ended }
})

export const linkServed = [reset]

/** Staff read their letters in English until they have chosen a language themselves. */
const language = 'en'

/** Sends the links that wait. `address` is where the console is reached from outside. */
export const linkQueue = (letters: Letters, address: string): NetworkHandler<Letter, true> => ({
  queue,
  async before(tx, { payload }) {
    const person = await tx.maybe(sql<Person>`
      select u.* from app_user u where u.user_no = ${String(payload.userNo)} and ${mayEnter} for update`)
    const way = person && channelOf(person)
    if (!way) return null
    const link = await makeLink(tx, person.userNo, way.channel)
    const values = { name: person.realName, link: `${address.replace(/\/+$/, '')}/Index/Login#link=${link}` }
    return {
      ...way,
      subject: text(language, 'letter.linkSubject'),
      body: text(language, 'letter.linkBody', values),
    }
  },
  async send(letter) {
    await letters.send(letter)
    return true
  },
  after: async () => undefined,
})
