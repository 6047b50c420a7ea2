//! The sockets of the local stack.

use std::net::Ipv4Addr;

use anyhow::Result;
use tokio::net::{TcpListener, TcpSocket};

use crate::disk::Disk;

const BACKLOG: u32 = 1024;
const PORT: &str = "port";

/// Listens where it did before, if it may: the addresses of uploads are stored with their posts.
pub(crate) fn listen_again(disk: &Disk) -> Result<TcpListener> {
    if let Some(before) = disk.value(PORT)? {
        return listen(before).or_else(|_| listen(0));
    }
    let listener = listen(0)?;
    disk.keep(PORT, &listener.local_addr()?.port())?;
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
