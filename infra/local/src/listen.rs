//! The sockets of the local stack.

use std::net::Ipv4Addr;

use anyhow::Result;
use rusqlite::OptionalExtension;
use tokio::net::{TcpListener, TcpSocket};

use crate::disk::Disk;

const BACKLOG: u32 = 1024;
const PORT: &str = "SELECT port FROM aws";
const KEEP_PORT: &str = "INSERT OR IGNORE INTO aws (id, port) VALUES (1, ?)";

/// Listens where it did before, if it may: the addresses of uploads are stored with their posts.
pub(crate) fn listen_again(disk: &Disk) -> Result<TcpListener> {
    let before = disk.read(|it| it.query_row(PORT, [], |row| row.get(0)).optional())?;
    let listener = listen(before.unwrap_or(0)).or_else(|_| listen(0))?;
    let port = listener.local_addr()?.port();
    disk.write(|it| it.execute(KEEP_PORT, [port]).map(drop))?;
    Ok(listener)
}

/// Accepted connections inherit that small answers are not held back.
pub(crate) fn listen(port: u16) -> Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_nodelay(true)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    Ok(socket.listen(BACKLOG)?)
}

pub(crate) fn address(listener: &TcpListener) -> Result<String> {
    Ok(format!("http://{}", listener.local_addr()?))
}
