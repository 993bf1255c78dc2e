import { sql } from 'kysely'
import { people } from '../../../../core/contract/user/people.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import { serve } from '../../../http/serve.ts'
import { type LetterMaker, languageOf, post } from '../../../outgoing/post.ts'
import { endAccess, noPassword } from '../../../session/person.ts'
import { mayEnter } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { makeLink } from '../sign-in/index.ts'
import { peopleBlocks } from './people-blocks.ts'
import { channelOf, lockPerson, type Person } from './people-source.ts'

/** Has a one-time link sent to a person. It is made when it is sent, and kept nowhere. */
export const sendLink = async (
  tx: Tx,
  person: Pick<Person, 'userNo' | 'realName' | 'email' | 'phone' | 'language'>,
) => {
  const way = channelOf(person)
  if (!way) return
  const { userNo, realName } = person
  const words = { language: languageOf(person.language), params: { name: realName } }
  const about = { userNo, objectType: 'user', objectNo: userNo }
  const channel = way.channel === 'email' ? 'email' : 'sms'
  await post(tx, { channel, to: way.to, template: 'link', ...words, ...about })
}

const reset = serve(people.resetPwd, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  await peopleBlocks.check(call, people.resetPwd, person.userNo)
  const way = channelOf(person)
  if (!way) throw new Error(`${person.userNo} cannot be reached and was not refused`)
  const set = { passwordHash: noPassword, passwordUpdateStatus: 1 }
  await transition(tx, 'userAccount', person, { event: 'user.resetPwd', set }, actor)
  const ended = await endAccess(tx, person.userNo, 'user.resetPwd', actor)
  await sendLink(tx, person)
  const sentTo = mask(way.to)
  audit({ objectType: 'user', objectNo: person.userNo, after: { channel: way.channel, sentTo, ended } })
  return { channel: way.channel, sentTo, ended }
})

export const linkServed = [reset]

/** Makes the link of a letter that goes now; one to somebody who may not sign in any more is not sent. */
export const linkMaker =
  (address: string): LetterMaker =>
  async (tx, { userNo, channelType }) => {
    const person = await tx.maybe(sql<Person>`
      select u.* from app_user u where u.user_no = ${userNo} and ${mayEnter} for update`)
    if (!person) return null
    const link = await makeLink(tx, person.userNo, channelType === 'email' ? 'email' : 'phone')
    return { link: `${address.replace(/\/+$/, '')}/Index/Login#link=${link}` }
  }
