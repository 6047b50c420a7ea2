//! Decides which IP addresses are public. All other addresses are refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public, with their prefix lengths: special-purpose, multicast and reserved addresses. See
/// <https://www.iana.org/assignments/iana-ipv4-special-registry>.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this network: RFC 791
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private: RFC 1918
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // carrier-grade NAT: RFC 6598
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // loopback: RFC 1122
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local, with cloud metadata: RFC 3927
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private: RFC 1918
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments: RFC 6890
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation: RFC 5737
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // 6to4 relays: RFC 7526
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private: RFC 1918
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks: RFC 2544
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation: RFC 5737
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation: RFC 5737
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast: RFC 5771
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, and broadcast: RFC 1112, RFC 919
];

/// The network of global unicast addresses (RFC 4291). All other IPv6 addresses are refused, such as loopback,
/// IPv4-mapped, NAT64, unique local, link-local and multicast addresses.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks of global unicast addresses that are not public. See
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>.
const NOT_PUBLIC_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo: RFC 2928, RFC 4380
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation: RFC 3849
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4, which embeds IPv4: RFC 3056
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation: RFC 9637
];

pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|net| is_in_v4(address, *net)),
        IpAddr::V6(address) => {
            is_in_v6(address, GLOBAL_V6) && !NOT_PUBLIC_V6.iter().any(|net| is_in_v6(address, *net))
        }
    }
}

fn is_in_v4(address: Ipv4Addr, (net, prefix): (Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()).leading_zeros() >= prefix
}

fn is_in_v6(address: Ipv6Addr, (net, prefix): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()).leading_zeros() >= prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_next_to_special_networks_are_public() {
        for public in ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.1"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for public in ["198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn special_addresses_are_not_public() {
        let special = "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 \
            169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 \
            198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 \
            :: ::1 ::127.0.0.1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8 64:ff9b::7f00:1 \
            64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:10::1 2001:20::1 2001:db8::1 \
            2002:7f00:1::1 2002:a9fe:a9fe::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 \
            ff02::1 4000::1";
        for address in special.split_whitespace() {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
