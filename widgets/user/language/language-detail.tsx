import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { languageConfig, type ManagedLanguage } from '../../../core/contract/user/language.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { ScreenLink } from '../../../core/engine/table/value.tsx'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { ChangeLog } from '../../shared/change-log.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const dictionaryPath = '/AdminContent/UserSystem/DataDictionary'
const { detail, page } = languageConfig

const Log = ({ languageCode }: { languageCode: string }) => {
  const t = useText()
  return (
    <Section title={t('language.changes')}>
      <ChangeLog objectType="language" objectNo={languageCode} words="language.did" />
    </Section>
  )
}

const Body = ({ row }: { row: ManagedLanguage }) => {
  const t = useText()
  const may = useMay()
  const { languageCode } = row
  const read = useRead(detail, { languageCode })
  return (
    <Loaded read={read}>
      {of => (
        <>
          <Section title={t('language.details')}>
            <Facts
              schema={page.row}
              value={row}
              names={[
                'languageName',
                'languageCode',
                'languageStatus',
                'sort',
                'staffCount',
                'updatedBy',
                'updatedTime',
              ]}
            />
            <Facts schema={detail.output} value={of} names={['interfaceTexts', 'interfaceMissing', 'itemsMissing']} />
          </Section>
          <Section title={t('language.missing')}>
            <SmallTable
              schema={detail.output.shape.missing.element}
              rows={of.missing.map(one => ({ ...one, id: `${one.dictType} ${one.keyValue}` }))}
              rowKey="id"
              names={['dictType', 'keyValue', 'label']}
              headers={{
                dictType: t('language.dictType'),
                keyValue: t('language.keyValue'),
                label: t('language.zhLabel'),
              }}
              empty={t('language.complete')}
              label={t('language.missing')}
            />
            {of.itemsMissing > 0 && languageCode !== 'zh' && (
              <ScreenLink to={dictionaryPath} query={{ missing: languageCode }}>
                {t('language.toDictionary')}
              </ScreenLink>
            )}
          </Section>
          {may.call(common.auditLog) && <Log languageCode={languageCode} />}
        </>
      )}
    </Loaded>
  )
}

/** One language: what it lacks, who works in it, what was changed. */
export const LanguageDrawer = ({ row, close }: { row: ManagedLanguage; close: () => void }) => (
  <Drawer open onClose={close} title={row.languageName}>
    <Body row={row} />
  </Drawer>
)
