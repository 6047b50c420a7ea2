//! A certificate authority, and TLS servers that use its certificates.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, pki_types::PrivateKeyDer},
};

const HOST: &str = "127.0.0.1";

/// A certificate authority that clients trust only if they load [`Self::pem`].
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// The root certificate in PEM.
    pub pem: String,
}

impl Authority {
    /// Creates an authority. Names must differ, because clients reject a second root with the same name.
    pub fn new(name: &str) -> Self {
        let mut root = CertificateParams::default();
        root.distinguished_name.push(DnType::CommonName, name);
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = root.self_signed(&key).expect("a certificate").pem();
        Self { issuer: Issuer::new(root, key), pem }
    }

    /// Starts a TLS proxy in front of the HTTP server at `address`. Returns the HTTPS address of the proxy.
    pub async fn before(&self, address: &str) -> String {
        let listener = TcpListener::bind((HOST, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let plain = address.trim_start_matches("http://").to_owned();
        tokio::spawn(accept(listener, self.acceptor(), plain));
        format!("https://{HOST}:{port}")
    }

    fn acceptor(&self) -> TlsAcceptor {
        let key = KeyPair::generate().expect("a key");
        let leaf = CertificateParams::new([HOST.to_owned()]).expect("a name");
        let leaf = leaf.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let config = ServerConfig::builder().with_no_client_auth();
        Arc::new(config.with_single_cert(vec![leaf.der().clone()], key).expect("a server")).into()
    }
}

async fn accept(listener: TcpListener, tls: TlsAcceptor, plain: String) {
    while let Ok((socket, _)) = listener.accept().await {
        let (tls, plain) = (tls.clone(), plain.clone());
        tokio::spawn(async move {
            // A client that does not trust the certificate closes the connection.
            let mut outside = tls.accept(socket).await?;
            let mut inside = TcpStream::connect(plain).await?;
            tokio::io::copy_bidirectional(&mut outside, &mut inside).await
        });
    }
}
