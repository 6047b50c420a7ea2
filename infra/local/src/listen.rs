//! Opens the listeners of the stack, and serves them.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use axum::Router;
use tokio::{
    net::{TcpListener, TcpSocket},
    task::JoinSet,
};

use crate::disk::Disk;

const BACKLOG: u32 = 1024;
const PORT: &str = "port";

/// Listens on the port of the previous start, because stored posts contain URLs with that port. Listens on any port if
/// that port is in use.
pub(crate) fn listen_on_previous_port(disk: &Disk) -> Result<TcpListener> {
    if let Some(previous) = disk.value(PORT)? {
        return listen(previous).or_else(|_| listen(0));
    }
    let listener = listen(0)?;
    disk.save(PORT, &listener.local_addr()?.port())?;
    Ok(listener)
}

/// Listens on localhost with `TCP_NODELAY`.
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

pub(crate) fn serve(tasks: &mut JoinSet<()>, listener: TcpListener, router: Router) {
    let router = router.into_make_service_with_connect_info::<SocketAddr>();
    tasks.spawn(async move {
        let _ = axum::serve(listener, router).await;
    });
}
