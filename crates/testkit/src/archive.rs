//! ZIP archives for tests, written by hand so that no test trusts the library that it tests.

/// A ZIP archive of these files, stored as they are (APPNOTE.TXT, method 0).
pub fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let at = length(archive.len());
        let mut entry = Vec::new();
        // Version 2.0, names in UTF-8, method 0, the first of January 1980.
        for field in [20_u16, 0x0800, 0, 0, 0x0021] {
            entry.extend(field.to_le_bytes());
        }
        for field in [crc32(bytes), length(bytes.len()), length(bytes.len())] {
            entry.extend(field.to_le_bytes());
        }
        entry.extend(short(name.len()).to_le_bytes());
        entry.extend([0; 2]);
        archive.extend(b"PK\x03\x04");
        archive.extend(&entry);
        archive.extend(name.as_bytes());
        archive.extend(*bytes);

        directory.extend(b"PK\x01\x02");
        directory.extend(20_u16.to_le_bytes());
        directory.extend(entry);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (begins, count) = (length(archive.len()), short(files.len()));
    let size = length(directory.len());
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    archive.extend([size.to_le_bytes(), begins.to_le_bytes()].concat());
    archive.extend([0; 2]);
    archive
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn short(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

/// CRC-32 as ZIP has it (ISO 3309), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_one_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }
}
