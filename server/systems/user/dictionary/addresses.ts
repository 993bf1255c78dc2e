import { sql } from 'kysely'
import { dictItems, dictTypes } from '../../../../core/contract/user/dictionary.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'

/** The dictionary of addresses: regions, and in them districts. */
export const addressType = 'UG_DISTRICT'

type Region = { key: string; label: string; labelEn: string; labelSw: string; districts: string }

/** The four regions of Uganda with their districts, as the Ministry of Local Government counts them. */
const regions: readonly Region[] = [
  {
    ...{ key: 'central', label: '中部', labelEn: 'Central', labelSw: 'Kati' },
    districts: `Buikwe,Bukomansimbi,Butambala,Buvuma,Gomba,Kalangala,Kalungu,Kampala,Kassanda,Kayunga,Kiboga,Kyankwanzi,Kyotera,Luweero,
      Lwengo,Lyantonde,Masaka,Mityana,Mpigi,Mubende,Mukono,Nakaseke,Nakasongola,Rakai,Ssembabule,Wakiso`,
  },
  {
    ...{ key: 'eastern', label: '东部', labelEn: 'Eastern', labelSw: 'Mashariki' },
    districts: `Amuria,Budaka,Bududa,Bugiri,Bugweri,Bukedea,Bukwo,Bulambuli,Busia,Butaleja,Butebo,Buyende,Iganga,Jinja,Kaberamaido,Kalaki,
      Kaliro,Kamuli,Kapchorwa,Kapelebyong,Katakwi,Kibuku,Kumi,Kween,Luuka,Manafwa,Mayuge,Mbale,Namayingo,Namisindwa,Namutumba,Ngora,Pallisa,
      Serere,Sironko,Soroti,Tororo`,
  },
  {
    ...{ key: 'northern', label: '北部', labelEn: 'Northern', labelSw: 'Kaskazini' },
    districts: `Abim,Adjumani,Agago,Alebtong,Amolatar,Amudat,Amuru,Apac,Arua,Dokolo,Gulu,Kaabong,Karenga,Kitgum,Koboko,Kole,Kotido,Kwania,
      Lamwo,Lira,Madi-Okollo,Maracha,Moroto,Moyo,Nabilatuk,Nakapiripirit,Napak,Nebbi,Nwoya,Obongi,Omoro,Otuke,Oyam,Pader,Pakwach,Terego,
      Yumbe,Zombo`,
  },
  {
    ...{ key: 'western', label: '西部', labelEn: 'Western', labelSw: 'Magharibi' },
    districts: `Buhweju,Buliisa,Bundibugyo,Bunyangabu,Bushenyi,Hoima,Ibanda,Isingiro,Kabale,Kabarole,Kagadi,Kakumiro,Kamwenge,Kanungu,
      Kasese,Kazo,Kibaale,Kikuube,Kiruhura,Kiryandongo,Kisoro,Kitagwenda,Kyegegwa,Kyenjojo,Masindi,Mbarara,Mitooma,Ntoroko,Ntungamo,
      Rubanda,Rubirizi,Rukiga,Rukungiri,Rwampara,Sheema`,
  },
]

const namesOf = ({ districts }: Region) => districts.split(',').map(name => name.trim())

/** Notes that items and their type were made and enabled when the program began. */
export type Note = (
  tx: Tx,
  machine: string,
  table: 'dict_type' | 'dict_item',
  key: string,
  nos: readonly string[],
) => Promise<unknown>

/** Writes the addresses into a database that has none: people keep them from then on. */
export const writeAddresses = async (tx: Tx, note: Note): Promise<void> => {
  if (await tx.maybe(sql`select 1 from dict_type where dict_type = ${addressType}`)) return
  const typeNo = newNo('DT', tx.now)
  await tx.exec(sql`
    insert into dict_type (dict_type_no, enabled, dict_type, dict_name, code_table_type, system, type_sort, created_time, updated_by, updated_time)
    values (${typeNo}, 'enabled', ${addressType}, '乌干达地区', 'ordinary', false, 900, ${tx.now}, 'system', ${tx.now})`)
  await note(tx, dictTypes.machine.id, 'dict_type', 'dict_type_no', [typeNo])
  const items = regions.flatMap(({ key, label, labelEn, labelSw, ...region }, at) => [
    { no: newNo('DI', tx.now), above: null, key, label, labelEn, labelSw, sort: at + 1 },
    ...namesOf({ key, label, labelEn, labelSw, ...region }).map((name, place) => ({
      ...{ no: newNo('DI', tx.now), above: key, key: name.toLowerCase() },
      ...{ label: name, labelEn: name, labelSw: name, sort: place + 1 },
    })),
  ])
  await tx.exec(sql`
    insert into dict_item (dict_item_no, enabled, dict_type, parent_key, key_value, value_type, label, label_en, label_sw, sort, system, created_time, updated_by, updated_time)
    select no, 'enabled', ${addressType}, above, key, 'text', label, "labelEn", "labelSw", sort, false, ${tx.now}, 'system', ${tx.now}
    from json_to_recordset(${JSON.stringify(items)}::json) as given (no text, above text, key text, label text, "labelEn" text, "labelSw" text, sort int)`)
  await note(
    tx,
    dictItems.machine.id,
    'dict_item',
    'dict_item_no',
    items.map(({ no }) => no),
  )
}
