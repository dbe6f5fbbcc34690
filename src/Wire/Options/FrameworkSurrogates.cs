using System.Collections.Immutable;
using System.ComponentModel;
using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Security.Principal;
using System.Xml;
using Wire.Runtime;
using Wire.Surrogates;

namespace Wire;

/// <summary>
/// Ready surrogates for types of .NET that Wire does not know itself, for <see cref="SerializerOptions.Surrogates"/> on both sides, as in
/// <c>Surrogates = [.. FrameworkSurrogates.All]</c>. A program that does not name this class loads none of these types.
/// </summary>
/// <remarks>
/// A value that would come back with less than it has is refused with <see cref="UnsupportedTypeException"/>, such as one of a derived
/// class. Each is allowed in payloads with its surrogate.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class FrameworkSurrogates
{
    // Several objects of the system's library.
    private const int CostOfCertificate = 8192;

    /// <summary>Gets all of them. Options that need only some can pick them by <see cref="Surrogate.SourceType"/>.</summary>
    public static ImmutableArray<Surrogate> All { get; } =
    [
        DataTable, DataSet, XmlDocument, XmlQualifiedName, X509Certificate2, Oid, Claim, GenericIdentity, GenericPrincipal, ClaimsIdentity,
        ClaimsPrincipal, CookieCollection, CookieContainer, PropertyChangedEventArgs, PropertyChangingEventArgs, FileInfo, DirectoryInfo,
        MediaTypeHeaderValue,
    ];

    /// <summary>
    /// Gets that of tables: columns, constraints, and rows with their states, errors and original values, as XML. Refused are a table that
    /// belongs to a <see cref="System.Data.DataSet"/>, and values that XML changes, which is checked. Reading evaluates the expressions of
    /// columns: use it for writers that you trust.
    /// </summary>
    public static Surrogate DataTable => Surrogate.Create<DataTable, TableParts>(DataConversion.FromTable, DataConversion.ToTable);

    /// <summary>Gets that of sets of tables, with their relations, in the same way.</summary>
    public static Surrogate DataSet => Surrogate.Create<DataSet, DataParts>(DataConversion.FromSet, DataConversion.ToSet);

    /// <summary>Gets that of XML documents, as their text. Refused are those with a document type.</summary>
    public static Surrogate XmlDocument =>
        Surrogate.Create<XmlDocument, XmlDocumentParts>(XmlDocumentConversion.To, XmlDocumentConversion.From);

    /// <summary>Gets that of names with a namespace.</summary>
    public static Surrogate XmlQualifiedName => Surrogate.Create<XmlQualifiedName, (string Name, string Namespace)>(
        value => Exact.Require(value) is var name && name.IsEmpty ? ("", "") : (value.Name, value.Namespace),
        parts => Made.Create(
            () => parts == ("", "") ? System.Xml.XmlQualifiedName.Empty : new XmlQualifiedName(parts.Name, parts.Namespace)));

    /// <summary>Gets that of certificates, as their public bytes. Refused are those with a private key, which would be lost.</summary>
    public static Surrogate X509Certificate2 => new FunctionSurrogate<X509Certificate2, byte[]>(
        value => value.HasPrivateKey
            ? throw new UnsupportedTypeException(
                typeof(X509Certificate2),
                "it has a private key, which does not belong in a payload and would be lost. Write a certificate without it: "
                + "X509CertificateLoader.LoadCertificate(certificate.RawData).")
            : Exact.Require(value).RawData,
        bytes => Made.Create(() => X509CertificateLoader.LoadCertificate(bytes)),
        bytes => new(CostOfCertificate + (4L * bytes.Length)));

    /// <summary>Gets that of object identifiers.</summary>
    public static Surrogate Oid => Surrogate.Create<Oid, (string? Value, string? Name)>(
        value => (Exact.Require(value).Value, value.FriendlyName), parts => Made.Create(() => new Oid(parts.Value, parts.Name)));

    /// <summary>Gets that of claims on their own. Refused are those that belong to an identity: write the identity.</summary>
    public static Surrogate Claim => new FunctionSurrogate<Claim, ClaimParts>(
        value => value.Subject is null
            ? ClaimsConversion.ToParts(value)
            : throw new UnsupportedTypeException(
                typeof(Claim), "it belongs to an identity, which it would lose. Write its Subject, or call Clone()."),
        parts => Made.Create(() => ClaimsConversion.ToClaim(parts, null)),
        ClaimsConversion.CostOf);

    /// <summary>Gets that of identities, with their claims and actor. Refused are more than 1,000 actors, one of the other.</summary>
    public static Surrogate ClaimsIdentity => new FunctionSurrogate<ClaimsIdentity, ClaimsIdentityParts>(
        ClaimsConversion.ToParts, ClaimsConversion.ToIdentity, ClaimsConversion.CostOf);

    /// <summary>Gets that of principals, with their identities.</summary>
    public static Surrogate ClaimsPrincipal => new FunctionSurrogate<ClaimsPrincipal, ClaimsIdentity[]>(
        value => [.. Exact.Require(value).Identities],
        identities => Made.Create(() => new ClaimsPrincipal(identities)),
        ClaimsConversion.CostOf);

    /// <summary>Gets that of identities with a name, with their claims and actor.</summary>
    public static Surrogate GenericIdentity => new FunctionSurrogate<GenericIdentity, GenericIdentityParts>(
        ClaimsConversion.ToParts, ClaimsConversion.ToIdentity, ClaimsConversion.CostOf);

    /// <summary>
    /// Gets that of principals with roles, with their identities. Refused are those whose first identity got or lost claims, which belong
    /// to a copy of <see cref="System.Security.Principal.GenericPrincipal.Identity"/>.
    /// </summary>
    public static Surrogate GenericPrincipal => new FunctionSurrogate<GenericPrincipal, GenericPrincipalParts>(
        ClaimsConversion.ToParts, ClaimsConversion.ToPrincipal, ClaimsConversion.CostOf);

    /// <summary>
    /// Gets that of collections of cookies, in their order. More than 4,096 cookies exceed the default <see cref="Limits.MaxCollisions"/>.
    /// </summary>
    public static Surrogate CookieCollection => new FunctionSurrogate<CookieCollection, Cookie[]>(
        value => [.. Exact.Require(value).Cast<Cookie>()], CookiesConversion.ToCollection, CookiesConversion.CostOf);

    /// <summary>
    /// Gets that of containers of cookies, with their capacities and all cookies that have not expired, which get the time of reading as
    /// their <see cref="Cookie.TimeStamp"/>. More than 4,096 cookies exceed the default <see cref="Limits.MaxCollisions"/>.
    /// </summary>
    public static Surrogate CookieContainer => new FunctionSurrogate<CookieContainer, CookieContainerParts>(
        CookiesConversion.ToParts, CookiesConversion.ToContainer, CookiesConversion.CostOf);

    /// <summary>Gets that of the arguments of changed properties.</summary>
    public static Surrogate PropertyChangedEventArgs => Surrogate.Create<PropertyChangedEventArgs, ValueTuple<string?>>(
        value => new(Exact.Require(value).PropertyName), parts => new(parts.Item1));

    /// <summary>Gets that of the arguments of changing properties.</summary>
    public static Surrogate PropertyChangingEventArgs => Surrogate.Create<PropertyChangingEventArgs, ValueTuple<string?>>(
        value => new(Exact.Require(value).PropertyName), parts => new(parts.Item1));

    /// <summary>Gets that of files, as the path that they were made with. Reading opens nothing.</summary>
    public static Surrogate FileInfo => Surrogate.Create<FileInfo, string>(
        value => Exact.Require(value).ToString(), path => Made.Create(() => new FileInfo(path)));

    /// <summary>Gets that of directories, as the path that they were made with. Reading opens nothing.</summary>
    public static Surrogate DirectoryInfo => Surrogate.Create<DirectoryInfo, string>(
        value => Exact.Require(value).ToString(), path => Made.Create(() => new DirectoryInfo(path)));

    /// <summary>Gets that of media types, as their text.</summary>
    public static Surrogate MediaTypeHeaderValue => Surrogate.Create<MediaTypeHeaderValue, string>(
        value => Exact.Require(value).ToString(), text => Made.Create(() => System.Net.Http.Headers.MediaTypeHeaderValue.Parse(text)));
}
