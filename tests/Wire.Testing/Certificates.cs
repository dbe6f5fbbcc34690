using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Wire.Testing;

/// <summary>An authority made for one test, with a certificate of a server on loopback and one of a client.</summary>
public sealed class Certificates : IDisposable
{
    private readonly ECDsa _clientKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public Certificates()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=Wire test authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, false, 0, critical: true));
        Authority = request.CreateSelfSigned(Begin, End);
        using var serverKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        Server = Sign("localhost", serverKey, addresses: true);
        Client = Sign("guest", _clientKey, addresses: false);
    }

    public X509Certificate2 Authority { get; }

    public X509Certificate2 Server { get; }

    public X509Certificate2 Client { get; }

    public string ClientKeyPem => _clientKey.ExportPkcs8PrivateKeyPem();

    private static DateTimeOffset Begin { get; } = DateTimeOffset.UtcNow.AddDays(-1);

    private static DateTimeOffset End { get; } = DateTimeOffset.UtcNow.AddDays(1);

    /// <summary>Options of a client that trusts the authority.</summary>
    public SslClientAuthenticationOptions Trusting(bool withCertificate = false) => new()
    {
        CertificateChainPolicy = Trust(),
        ClientCertificates = withCertificate ? [Client] : null,
    };

    /// <summary>Options of the server; with the certificate of a client where it asks for one.</summary>
    public SslServerAuthenticationOptions Serving(bool asksForCertificate = false) => new()
    {
        ServerCertificate = Server,
        ClientCertificateRequired = asksForCertificate,
        CertificateChainPolicy = Trust(),
        RemoteCertificateValidationCallback = (_, certificate, _, errors) =>
            !asksForCertificate || (certificate is not null && errors == SslPolicyErrors.None),
    };

    public void Dispose()
    {
        Authority.Dispose();
        Server.Dispose();
        Client.Dispose();
        _clientKey.Dispose();
    }

    private X509ChainPolicy Trust() => new()
    {
        TrustMode = X509ChainTrustMode.CustomRootTrust,
        RevocationMode = X509RevocationMode.NoCheck,
        CustomTrustStore = { Authority },
    };

    private X509Certificate2 Sign(string name, ECDsa key, bool addresses)
    {
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        if (addresses)
        {
            var names = new SubjectAlternativeNameBuilder();
            names.AddDnsName(name);
            names.AddIpAddress(IPAddress.Loopback);
            request.CertificateExtensions.Add(names.Build());
        }

        using X509Certificate2 signed = request.Create(Authority, Begin, End, RandomNumberGenerator.GetBytes(8));
        using X509Certificate2 withKey = signed.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(withKey.Export(X509ContentType.Pkcs12), password: null);
    }
}
