import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const Answer = ({ code }: { code: string }) => {
  const t = useText()
  const read = useRead(role.whoMay, { code })
  const { roles, people } = role.whoMay.output.shape
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Section title={t('role.rolesWith')}>
            <SmallTable
              schema={roles.element}
              rows={data.roles}
              rowKey="roleNo"
              names={['roleName', 'limitType', 'memberCount']}
              empty={t('role.nobody')}
            />
          </Section>
          <Section title={t('role.peopleWith', { n: data.total })}>
            <SmallTable
              schema={people.element}
              rows={data.people}
              rowKey="userNo"
              names={['userNo', 'realName', 'deptName', 'roleNames', 'limitType']}
              cells={{ roleNames: one => one.roleNames.join(', ') }}
              empty={t('role.nobody')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Roles and people who hold a code or a sensitive kind. */
export const WhoMayDialog = ({ close }: Pick<DialogProps<unknown>, 'close'>) => {
  const t = useText()
  const catalogue = useRead(role.catalogue, {})
  const [code, setCode] = useState('')
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('role.whoMay')}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      <Loaded read={catalogue}>
        {({ nodes, kinds }) => {
          const codes = new Map(
            nodes.flatMap(one => (one.menuType === 'button' ? [[one.perms ?? '', one.menuName]] : [])),
          )
          return (
            <Labelled label={t('role.codeOrKind')}>
              {tied => (
                <Select.Root value={code} onValueChange={setCode}>
                  <Select.Trigger {...tied} placeholder={t('common.choose')} />
                  <Select.Content>
                    {kinds.map(kind => (
                      <Select.Item key={kind} value={kind}>
                        {t(`dict.SENSITIVE_KIND.${kind}`)}
                      </Select.Item>
                    ))}
                    {[...codes].map(([value, name]) => (
                      <Select.Item key={value} value={value}>
                        {name}
                      </Select.Item>
                    ))}
                  </Select.Content>
                </Select.Root>
              )}
            </Labelled>
          )
        }}
      </Loaded>
      {code ? <Answer code={code} /> : <Text color="gray">{t('role.whoMayHint')}</Text>}
    </ModalDialog>
  )
}
