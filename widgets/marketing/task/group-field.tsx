import { useState } from 'react'
import { userGroups } from '../../../core/contract/marketing/user-group.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { type Writing, Written } from '../../shared/message/writing.tsx'

/** The number of a group with its verification; another number loses it. */
export const GroupField = ({ writing }: { writing: Writing }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { answers, put } = writing
  const userGroupNo = typeof answers.userGroupNo === 'string' ? answers.userGroupNo : ''
  const [said, setSaid] = useState<{ no: string; words: string; isGood: boolean } | null>(null)
  const isOf = said?.no === userGroupNo
  const verify = async () => {
    const outcome = await send(userGroups.verify, { userGroupNo, purpose: 'sms' })
    if (outcome.is === 'unanswered') return
    if (outcome.is === 'refused') {
      put('verifyToken', undefined)
      return setSaid({ no: userGroupNo, words: outcome.error.message, isGood: false })
    }
    const { userGroupName, groupMembers, outsideScope, verifyToken } = outcome.answer
    put('verifyToken', verifyToken)
    const words = t('smsTask.verified', { name: userGroupName, members: groupMembers, outside: outsideScope })
    setSaid({ no: userGroupNo, words, isGood: true })
  }
  const isVerified = isOf && said.isGood && Boolean(answers.verifyToken)
  return (
    <>
      <Written
        name="userGroupNo"
        writing={{
          ...writing,
          put: (name, value) => {
            put(name, value)
            put('verifyToken', undefined)
          },
        }}
      />
      <Flex gap="3" align="center">
        <Button
          type="button"
          variant="soft"
          loading={busy}
          disabled={!userGroupNo || isVerified}
          onClick={() => void verify()}
        >
          {t('smsTask.verify')}
        </Button>
        {isOf && (
          <Text size="2" role="status" color={said.isGood ? 'green' : 'red'}>
            {said.words}
          </Text>
        )}
      </Flex>
    </>
  )
}
