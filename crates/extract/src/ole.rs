//! OLE containers (Microsoft's Compound File Binary format): which document one holds.
//!
//! Old office programs put every document into the same kind of container, so only the names in
//! its directory say what it is. The directory is read as \[MS-CFB\] describes it; nothing else of
//! the container is looked at.

use std::collections::HashSet;

use crate::ExtractError;
use crate::format::Format;

/// A directory entry, in bytes.
const ENTRY_SIZE: usize = 128;
/// A directory with more entries is none.
const MAX_ENTRIES: usize = 100_000;
/// The marks of a chain's end and of no sector at all begin here.
const MAX_SECTOR: u32 = 0xFFFF_FFFA;
const NO_ENTRY: u32 = 0xFFFF_FFFF;
/// How many sectors of the allocation table the header names.
const HEADER_TABLE_SECTORS: usize = 109;

/// Which format a container holds; `named` is what the file's extension says.
///
/// # Errors
///
/// [`ExtractError::Password`] for an office document that is encrypted,
/// [`ExtractError::Unsupported`] with the name of what it is, [`ExtractError::Corrupt`].
pub(crate) fn format_of(bytes: &[u8], named: Format) -> Result<Format, ExtractError> {
    let names: Vec<String> = Container::open(bytes)
        .and_then(|container| container.root_entries())
        .map(|entries| entries.into_iter().filter_map(name_of).collect())
        .ok_or_else(|| ExtractError::corrupt("the directory of its container cannot be read"))?;
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let begins = |start: &str| names.iter().any(|name| name.starts_with(start));
    if has("EncryptedPackage") {
        return Err(ExtractError::Password { can_unlock: false });
    }
    if has("Workbook") || has("Book") {
        return Ok(Format::Xls);
    }
    let format = if has("WordDocument") {
        "Word 97 (.doc)"
    } else if has("PowerPoint Document") || has("PP97_DUALSTORAGE") {
        "PowerPoint 97 (.ppt)"
    } else if has("__nameid_version1.0") || begins("__substg1.0_") || begins("__properties_") {
        "Outlook message (.msg)"
    } else if has("VisioDocument") {
        "Visio drawing (.vsd)"
    } else if begins("   1") || has("Props9") || has("Props12") || has("Props14") {
        "Microsoft Project (.mpp)"
    } else if has("Quill") {
        "Publisher (.pub)"
    } else if has("MatOST") || has("CONTENTS") {
        "Microsoft Works (.wps)"
    } else if has("FileHeader") && has("BodyText") {
        "Hangul (.hwp)"
    } else if begins("StarWriter") || begins("StarCalc") || begins("StarImpress") {
        "StarOffice"
    } else if has("Catalog") {
        "Windows thumbnail"
    } else if names.iter().any(|name| is_installer_name(name)) {
        "Windows installer (.msi)"
    } else if named == Format::Xls {
        return Err(ExtractError::corrupt("its container holds no workbook"));
    } else {
        "OLE container"
    };
    Err(ExtractError::Unsupported { format: format.to_owned() })
}

/// The bytes of a stream at the root of a container; `None` where it is not there, or so short that
/// the container keeps it elsewhere (\[MS-CFB\] 2.6.3).
pub(crate) fn stream(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let container = Container::open(bytes)?;
    let is_wanted = |entry: &&[u8]| name_of(entry).is_some_and(|it| it.eq_ignore_ascii_case(name));
    let entry = container.root_entries()?.into_iter().find(is_wanted)?;
    let (start, size) = (u32_at(entry, 0x74)?, u32_at(entry, 0x78)?);
    let least = u32_at(bytes, 0x38)?;
    (size >= least).then(|| container.content(start, size as usize))
}

/// The installer writes two letters into one character of an unused range.
fn is_installer_name(name: &str) -> bool {
    name.chars().any(|character| matches!(character, '\u{3800}'..='\u{4840}'))
}

struct Container<'a> {
    bytes: &'a [u8],
    sector_size: usize,
    /// The sectors of the allocation table.
    table: Vec<u32>,
}

impl<'a> Container<'a> {
    fn open(bytes: &'a [u8]) -> Option<Self> {
        let sector_size = match u16_at(bytes, 0x1E)? {
            9 => 512,
            12 => 4096,
            _ => return None,
        };
        let mut table: Vec<u32> =
            (0..HEADER_TABLE_SECTORS).filter_map(|at| u32_at(bytes, 0x4C + at * 4)).collect();
        let mut container = Self { bytes, sector_size, table: Vec::new() };
        // Large files name the others in a chain of sectors, the last word of each being the next.
        let mut next = u32_at(bytes, 0x44)?;
        let per_sector = sector_size / 4 - 1;
        for _ in 0..bytes.len() / sector_size {
            let Some(sector) = container.sector(next) else { break };
            table.extend((0..per_sector).filter_map(|at| u32_at(sector, at * 4)));
            next = u32_at(sector, per_sector * 4)?;
        }
        container.table = table;
        Some(container)
    }

    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        if number >= MAX_SECTOR {
            return None;
        }
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector_size)?;
        // The last one may be cut short.
        let end = start.saturating_add(self.sector_size).min(self.bytes.len());
        self.bytes.get(start..end)
    }

    fn sector_after(&self, number: u32) -> Option<u32> {
        let per_sector = self.sector_size / 4;
        let table = self.sector(*self.table.get(number as usize / per_sector)?)?;
        u32_at(table, (number as usize % per_sector) * 4)
    }

    /// What a chain of sectors holds, as far as it goes.
    fn content(&self, start: u32, size: usize) -> Vec<u8> {
        let mut content = Vec::new();
        let mut sector = Some(start);
        while let Some(piece) = sector.and_then(|sector| self.sector(sector))
            && content.len() < size.min(self.bytes.len())
        {
            content.extend_from_slice(piece);
            sector = sector.and_then(|sector| self.sector_after(sector));
        }
        content.truncate(size);
        content
    }

    /// The streams and storages at the root; those deeper belong to what is embedded.
    fn root_entries(&self) -> Option<Vec<&'a [u8]>> {
        let mut entries: Vec<&[u8]> = Vec::new();
        let mut sector = u32_at(self.bytes, 0x30)?;
        for _ in 0..=self.bytes.len() / self.sector_size {
            let Some(content) = self.sector(sector) else { break };
            entries.extend(content.chunks_exact(ENTRY_SIZE));
            if entries.len() > MAX_ENTRIES {
                return None;
            }
            let Some(next) = self.sector_after(sector) else { break };
            sector = next;
        }
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut ahead = vec![u32_at(entries.first()?, 0x4C)?];
        while let Some(number) = ahead.pop() {
            let Some(entry) = entries.get(number as usize) else { continue };
            if number == NO_ENTRY || !seen.insert(number) {
                continue;
            }
            found.push(*entry);
            ahead.extend([u32_at(entry, 0x44), u32_at(entry, 0x48)].into_iter().flatten());
        }
        Some(found)
    }
}

fn name_of(entry: &[u8]) -> Option<String> {
    // In bytes, with the zero at its end.
    let length = usize::from(u16_at(entry, 0x40)?).clamp(2, 64) - 2;
    let units = entry.get(..length)?.chunks_exact(2).map(|it| u16::from_le_bytes([it[0], it[1]]));
    Some(char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;

    const XLS: &[u8] = include_bytes!("../tests/documents/docl__legacy_sample.xls");

    /// A container with streams of these names at its root; the first has the last below it.
    fn container(names: &[&str]) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
        bytes[0x1E] = 9;
        bytes[0x44..0x48].copy_from_slice(&u32::MAX.to_le_bytes());
        bytes[0x4C..].fill(0xFF);
        bytes[0x4C..0x50].copy_from_slice(&0_u32.to_le_bytes());
        bytes[0x30] = 1;
        // Sector 0 is the allocation table: the directory fills the sectors from 1.
        let sectors = (names.len() + 1).div_ceil(4);
        let mut table = vec![0xFF; 512];
        for sector in 1..sectors {
            table[sector * 4..sector * 4 + 4]
                .copy_from_slice(&u32::try_from(sector + 1).unwrap().to_le_bytes());
        }
        bytes.extend(table);
        for (at, name) in ["Root Entry"].iter().chain(names).enumerate() {
            let mut entry = vec![0; ENTRY_SIZE];
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            entry[..units.len()].copy_from_slice(&units);
            entry[0x40] = u8::try_from(units.len() + 2).unwrap();
            entry[0x44..0x50].fill(0xFF);
            let next = if at < names.len() { u32::try_from(at + 1).unwrap() } else { u32::MAX };
            let link = if at == 0 { 0x4C } else { 0x48 };
            entry[link..link + 4].copy_from_slice(&next.to_le_bytes());
            bytes.extend(entry);
        }
        bytes.resize(512 * (2 + sectors), 0);
        bytes
    }

    #[test]
    fn a_container_is_what_its_directory_names() {
        assert_eq!(format_of(XLS, Format::Xls), Ok(Format::Xls));
        let many = ["a", "b", "c", "d", "e", "f", "Book"];
        assert_eq!(format_of(&container(&many), Format::Xls), Ok(Format::Xls));
        for (name, error) in [
            ("WordDocument", "Word 97 (.doc) files are not read"),
            ("PowerPoint Document", "PowerPoint 97 (.ppt) files are not read"),
            ("__substg1.0_0037001F", "Outlook message (.msg) files are not read"),
            ("\u{4840}\u{3B3F}", "Windows installer (.msi) files are not read"),
            ("Something", "OLE container files are not read"),
            ("EncryptedPackage", "it is protected by a password"),
        ] {
            assert_eq!(
                format_of(&container(&[name]), Format::PlainText).unwrap_err().to_string(),
                error
            );
        }
    }

    #[test]
    fn a_damaged_container_is_damaged_or_something_but_ends() {
        let corrupt = format_of(&XLS[..400], Format::Xls).unwrap_err();
        assert!(matches!(corrupt, ExtractError::Corrupt { .. }), "{corrupt}");
        for damaged in mutations(XLS, 500).chain(mutations(&container(&["Book", "x"]), 500)) {
            let _ = format_of(&damaged, Format::Xls);
        }
    }
}
