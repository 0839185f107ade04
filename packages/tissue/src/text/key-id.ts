// The random part of an id, where a key says what the issue is: every clone that makes it gets the same.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const partLength = 12
const mask = 0xffff_ffff_ffff_ffffn

/**
 * The last part of the id of the issue with this key: 60 bits, which two keys do not share by accident. `attempt` counts
 * from 0, for an id that is taken, say by an issue with this key that was deleted.
 */
export function partOfKey(key: string, attempt: number): string {
  let bits = hashOf(attempt === 0 ? key : `${key}\n${attempt}`) >> 4n
  let part = ''
  while (part.length < partLength) {
    part = (alphabet[Number(bits & 31n)] ?? '') + part
    bits >>= 5n
  }
  return part
}

/** FNV-1a in 64 bits, with the finalizer of MurmurHash3: keys that differ in one character look nothing alike. */
function hashOf(text: string): bigint {
  let value = 0xcbf2_9ce4_8422_2325n
  for (const byte of Buffer.from(text)) value = ((value ^ BigInt(byte)) * 0x100_0000_01b3n) & mask
  value = ((value ^ (value >> 33n)) * 0xff51_afd7_ed55_8ccdn) & mask
  value = ((value ^ (value >> 33n)) * 0xc4ce_b9fe_1a85_ec53n) & mask
  return value ^ (value >> 33n)
}
