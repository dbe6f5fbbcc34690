using System.Collections;
using System.Collections.Specialized;
using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Data;
using System.Data.SqlTypes;
using System.Dynamic;
using System.Net;
using System.Net.Mail;
using System.Net.NetworkInformation;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <content>
/// The types of those assemblies of .NET that most programs do without: native code has them where a row of <see cref="WireTypes"/> says
/// so.
/// </content>
internal static partial class Families
{
    /// <summary>Lists that are bound to controls, and the results of validation.</summary>
    public static Family[] Components() =>
    [
        Family.Wrapper("System.ComponentModel.BindingList`1", () => typeof(BindingList<>), () => typeof(BindingListKind<>)),
        Family.Wrapper(
            "System.ComponentModel.DataAnnotations.ValidationResult", () => typeof(ValidationResult), () => typeof(ValidationResultKind)),
    ];

    /// <summary>The values of databases.</summary>
    public static Family[] Data() =>
    [
        Family.Members("System.Data.PropertyCollection", () => Family.WithFields(typeof(PropertyCollection))),
        // The values of databases, which may be null without being null references.
        Family.Converted("System.Data.SqlTypes.SqlBoolean", () => typeof(SqlBoolean), registry => AsNullable<SqlBoolean, bool>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlByte", () => typeof(SqlByte), registry => AsNullable<SqlByte, byte>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt16", () => typeof(SqlInt16), registry => AsNullable<SqlInt16, short>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt32", () => typeof(SqlInt32), registry => AsNullable<SqlInt32, int>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt64", () => typeof(SqlInt64), registry => AsNullable<SqlInt64, long>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlSingle", () => typeof(SqlSingle), registry => AsNullable<SqlSingle, float>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlDouble", () => typeof(SqlDouble), registry => AsNullable<SqlDouble, double>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlGuid", () => typeof(SqlGuid), registry => AsNullable<SqlGuid, Guid>(
            registry, value => value.Value, value => new(value))),
        // In ten-thousandths.
        Family.Converted("System.Data.SqlTypes.SqlMoney", () => typeof(SqlMoney), registry => AsNullable<SqlMoney, long>(
            registry, value => value.GetTdsValue(), SqlMoney.FromTdsValue)),
        Family.Converted("System.Data.SqlTypes.SqlDecimal", () => typeof(SqlDecimal), registry =>
            AsNullable<SqlDecimal, SqlDecimalParts>(registry, SqlConversions.To, SqlConversions.From)),
        // Days since 1900, and three-hundredths of a second.
        Family.Converted("System.Data.SqlTypes.SqlDateTime", () => typeof(SqlDateTime), registry =>
            AsNullable<SqlDateTime, SqlDateTimeParts>(
                registry, value => new(value.DayTicks, value.TimeTicks), parts => new(parts.DayTicks, parts.TimeTicks))),
        Family.Converted("System.Data.SqlTypes.SqlString", () => typeof(SqlString), registry =>
            AsNullable<SqlString, SqlStringParts>(
                registry,
                value => new(value.Value, value.LCID, value.SqlCompareOptions),
                SqlConversions.From)),
        Family.Converted("System.Data.SqlTypes.SqlBinary", () => typeof(SqlBinary), registry => As<SqlBinary, byte[]?>(
            registry,
            value => value.IsNull ? null : value.Value,
            bytes => bytes is null ? SqlBinary.Null : SqlBinary.WrapBytes(bytes),
            nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlBytes", () => typeof(SqlBytes), registry => As<SqlBytes, byte[]?>(
            registry, value => value.IsNull ? null : value.Value, bytes => new(bytes), nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlChars", () => typeof(SqlChars), registry => As<SqlChars, char[]?>(
            registry, value => value.IsNull ? null : value.Value, chars => new(chars), nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlXml", () => typeof(SqlXml), registry => As<SqlXml, string?>(
            registry, SqlConversions.Text, SqlConversions.Xml, nullIsValue: true, SqlConversions.Overhead)),
    ];

    /// <summary>Objects whose members are chosen while the program runs.</summary>
    public static Family[] Dynamic() =>
    [
        Family.Collection("System.Dynamic.ExpandoObject", () => typeof(ExpandoObject), () => typeof(ExpandoKind)),
    ];

    /// <summary>JSON, as elements and nodes.</summary>
    public static Family[] Json() =>
    [
        // The text; of an element null for the default value, which is no JSON. It comes back with a document of its own.
        Family.Converted("System.Text.Json.JsonElement", () => typeof(JsonElement), registry => As<JsonElement, string?>(
            registry, JsonText.ElementToText, JsonText.Element, nullIsValue: true, JsonText.Overhead)),
        Family.Converted("System.Text.Json.JsonDocument", () => typeof(JsonDocument), registry => As<JsonDocument, string>(
            registry, value => JsonText.ToText(value.RootElement), JsonText.Document, overhead: JsonText.Overhead)),
        Family.Converted("System.Text.Json.Nodes.JsonNode", () => typeof(JsonNode), registry =>
            JsonNodeConversion.Create<JsonNode>(registry)),
        Family.Converted("System.Text.Json.Nodes.JsonObject", () => typeof(JsonObject), registry =>
            JsonNodeConversion.Create<JsonObject>(registry)),
        Family.Converted("System.Text.Json.Nodes.JsonArray", () => typeof(JsonArray), registry =>
            JsonNodeConversion.Create<JsonArray>(registry)),
        Family.Converted("System.Text.Json.Nodes.JsonValue", () => typeof(JsonValue), registry =>
            JsonNodeConversion.Create<JsonValue>(registry)) with { CoversDerived = true },
    ];

    /// <summary>Addresses and other values of networks.</summary>
    public static Family[] Net() =>
    [
        Family.Converted("System.Net.IPAddress", () => typeof(IPAddress), registry => As<IPAddress, IPAddressConversion.Parts>(
            registry, IPAddressConversion.To, IPAddressConversion.From)) with { CoversDerived = true },
        Family.Converted("System.Net.IPEndPoint", () => typeof(IPEndPoint), registry => As<IPEndPoint, IPEndPointParts>(
            registry, value => new(value.Address, value.Port), parts => new(parts.Address, parts.Port))),
        Family.Converted("System.Net.DnsEndPoint", () => typeof(DnsEndPoint), registry => As<DnsEndPoint, DnsEndPointParts>(
            registry,
            value => new(value.Host, value.Port, value.AddressFamily),
            parts => new(parts.Host, parts.Port, parts.Family),
            isImmutable: true)),
        Family.Converted("System.Net.IPNetwork", () => typeof(System.Net.IPNetwork), registry => As<System.Net.IPNetwork, IPNetworkParts>(
            registry, value => new(value.BaseAddress, value.PrefixLength), parts => new(parts.BaseAddress, parts.PrefixLength))),
        Family.Converted("System.Net.NetworkInformation.PhysicalAddress", () => typeof(PhysicalAddress), registry =>
            As<PhysicalAddress, ReadOnlyMemory<byte>>(
                registry, value => value.GetAddressBytes(), bytes => new(bytes.ToArray()), isImmutable: true)),
        Family.Converted("System.Net.Cookie", () => typeof(Cookie), registry => As<Cookie, CookieConversion.Parts>(
            registry, CookieConversion.To, CookieConversion.From)),
        Family.Converted("System.Net.Http.HttpMethod", () => typeof(HttpMethod), registry => As<HttpMethod, string>(
            registry,
            value => value.Method,
            name => HttpMethod.Parse(name) is { } known && known.Method == name ? known : new HttpMethod(name),
            isImmutable: true)),
        // The encoding of the name in mail headers is lost.
        Family.Converted("System.Net.Mail.MailAddress", () => typeof(MailAddress), registry => As<MailAddress, MailAddressParts>(
            registry,
            value => new(value.Address, value.DisplayName),
            parts => new(parts.Address, parts.DisplayName),
            isImmutable: true)),
    ];

    /// <summary>Regular expressions.</summary>
    public static Family[] Regex() =>
    [
        Family.Converted("System.Text.RegularExpressions.Regex", () => typeof(Regex), registry => As<Regex, RegexConversion.Parts>(
            registry, RegexConversion.To, RegexConversion.From, overhead: RegexConversion.Overhead)) with { CoversDerived = true },
    ];


    /// <summary>Collections without type arguments, and bits.</summary>
    public static Family[] Untyped() =>
    [
        Family.Collection("System.Collections.ArrayList", () => typeof(ArrayList), () => typeof(ArrayListKind)),
        Family.Collection("System.Collections.Queue", () => typeof(Queue), () => typeof(UntypedQueueKind)),
        Family.Collection("System.Collections.Stack", () => typeof(Stack), () => typeof(UntypedStackKind)),
        Family.Collection("System.Collections.Hashtable", () => typeof(Hashtable), () => typeof(HashtableKind)),
        // A Hashtable, with nothing added.
        Family.Collection("System.Collections.SortedList", () => typeof(SortedList), () => typeof(UntypedSortedListKind)),
        // Views, whose classes have no public name.
        Family.Wrapper(
            "System.Collections.ArrayList+SyncArrayList",
            () => ArrayList.Synchronized(new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+ReadOnlyArrayList",
            () => ArrayList.ReadOnly(new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+FixedSizeArrayList",
            () => ArrayList.FixedSize(new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+SyncIList",
            () => ArrayList.Synchronized((IList)new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+ReadOnlyList",
            () => ArrayList.ReadOnly((IList)new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+FixedSizeList",
            () => ArrayList.FixedSize((IList)new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.ArrayList+IListWrapper",
            () => ArrayList.Adapter(new ArrayList()).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Wrapper("System.Collections.Hashtable+SyncHashtable", () => Hashtable.Synchronized([]).GetType(), () => typeof(ViewKind<,>)),
        Family.Wrapper("System.Collections.Queue+SynchronizedQueue", () => Queue.Synchronized(new()).GetType(), () => typeof(ViewKind<,>)),
        Family.Wrapper("System.Collections.Stack+SyncStack", () => Stack.Synchronized(new()).GetType(), () => typeof(ViewKind<,>)),
        Family.Wrapper(
            "System.Collections.SortedList+SyncSortedList",
            () => SortedList.Synchronized([]).GetType(),
            () => typeof(ViewKind<,>)),
        Family.Members("System.Collections.DictionaryEntry", () => Family.WithFields(typeof(DictionaryEntry))),
        Family.Wrapper("System.Collections.CollectionBase", () => typeof(CollectionBase), () => typeof(CollectionBaseKind)),
        Family.Wrapper("System.Collections.DictionaryBase", () => typeof(DictionaryBase), () => typeof(DictionaryBaseKind)),
        Family.Collection(
            "System.Collections.Specialized.NameValueCollection", () => typeof(NameValueCollection), () => typeof(NameValueCollectionKind)),
        Family.Collection(
            "System.Collections.Specialized.StringCollection", () => typeof(StringCollection), () => typeof(StringCollectionKind)),
        Family.Collection(
            "System.Collections.Specialized.StringDictionary", () => typeof(StringDictionary), () => typeof(StringDictionaryKind)),
        Family.Collection("System.Collections.Specialized.ListDictionary", () => typeof(ListDictionary), () => typeof(ListDictionaryKind)),
        Family.Collection(
            "System.Collections.Specialized.HybridDictionary", () => typeof(HybridDictionary), () => typeof(HybridDictionaryKind)),
        Family.Collection(
            "System.Collections.Specialized.OrderedDictionary",
            () => typeof(OrderedDictionary),
            () => typeof(UntypedOrderedDictionaryKind)),
        Family.Converted("System.Collections.BitArray", () => typeof(BitArray), registry => As<BitArray, BitArrayConversion.Parts>(
            registry, BitArrayConversion.To, BitArrayConversion.From)),
        Family.Converted("System.Collections.Specialized.BitVector32", () => typeof(BitVector32), registry => As<BitVector32, int>(
            registry, value => value.Data, bits => new(bits))),
    ];

    /// <summary>XML, as System.Xml.Linq has it.</summary>
    public static Family[] Xml() =>
    [
        Family.Converted("System.Xml.Linq.XName", () => typeof(XName), registry => As<XName, string>(
            registry, XNameConversion.To, XNameConversion.From, overhead: XNameConversion.Overhead, isImmutable: true)),
        Family.Converted("System.Xml.Linq.XNamespace", () => typeof(XNamespace), registry => As<XNamespace, string>(
            registry, value => value.NamespaceName, XNamespace.Get, overhead: _ => XmlText.PerNamespace, isImmutable: true)),
        // The element that it belongs to is not a part of it.
        Family.Converted("System.Xml.Linq.XAttribute", () => typeof(XAttribute), registry => As<XAttribute, XAttributeParts>(
            registry,
            value => new(value.Name.ToString(), value.Value),
            parts => new(XNameConversion.From(parts.Name), parts.Value),
            overhead: parts => XNameConversion.Overhead(parts.Name))),
        Family.Converted("System.Xml.Linq.XElement", () => typeof(XElement), registry => As<XElement, string>(
            registry, value => XmlText.Write([value]), XmlText.Element, overhead: XmlText.Overhead)),
        Family.Converted("System.Xml.Linq.XDocument", () => typeof(XDocument), registry => As<XDocument, XDocumentConversion.Parts>(
            registry, XDocumentConversion.To, XDocumentConversion.From, overhead: XDocumentConversion.Overhead)),
    ];
}
