import { smsTemplates } from '../../core/contract/marketing/sms-template.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { settingCalls } from '../shared/business-config-dialog.tsx'
import { EditText, NewText, TextSettings } from './template/dialogs.tsx'
import { TemplateDetail, templateHead } from './template/template-detail.tsx'

const { save, copy, enable, disable, test } = smsTemplates

/** Marketing staff write texts in English and Swahili, and a second person puts them in force. */
export default listScreen({
  list: smsTemplates.page,
  rowKey: 'templateNo',
  start: { createdTime: 'last30' },
  filters: [
    ...(['templateName', 'templateStatus', 'merchantNo', 'createdTime'] as const),
    ...(['templateNo', 'appName', 'language', 'createdBy'] as const),
  ],
  presets: [
    { label: 'smsTemplate.toEnable', filters: { templateStatus: ['draft'] } },
    { label: 'smsTemplate.inForce', filters: { templateStatus: ['enabled'] } },
  ],
  columns: [
    'templateNo',
    'templateName',
    'merchantName',
    'appName',
    'textLanguages',
    { id: 'content', width: 300 },
    'mostParts',
    'templateStatus',
    'templateVersion',
    'usedTasks',
    'authorName',
    'enabledBy',
    'updatedTime',
  ],
  more: ['createdBy', 'createdTime'],
  toolbar: () => [
    { label: 'actions.textSettings', needs: { perm: smsTemplates.page.perm }, dialog: TextSettings },
    { label: 'actions.newText', needs: { perm: save.perm, audit: save.audit }, dialog: NewText },
  ],
  row: act => [
    act(enable, { label: 'actions.enableText', confirm: 'smsTemplate.confirmEnable', done: 'smsTemplate.enabled' }),
    { label: 'actions.editText', needs: save, dialog: EditText },
    act(test, {
      label: 'actions.testText',
      ask: ['language'],
      input: ([row]) => ({ templateNo: row?.templateNo ?? '' }),
      confirm: 'smsTemplate.confirmTest',
      done: 'smsTemplate.tested',
    }),
    act(copy, { label: 'actions.copyText', confirm: 'smsTemplate.confirmCopy' }),
    act(disable, { label: 'actions.disableText', tone: 'danger', confirm: 'smsTemplate.confirmDisable' }),
  ],
  head: templateHead,
  detail: row => <TemplateDetail row={row} />,
  also: [smsTemplates.detail, smsTemplates.measure, smsTemplates.variables, ...settingCalls],
})
