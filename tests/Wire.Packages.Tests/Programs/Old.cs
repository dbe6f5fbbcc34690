#region readme
using Wire;
using Wire.Migration;

var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true }); // BinaryFormatter kept references
var old = new BinaryFormatterReader(serializer);

byte[] stored = Convert.FromBase64String("AAEAAAD/////AQAAAAAAAAAGAQAAAAVoZWxsbws="); // what BinaryFormatter wrote of "hello"
string text = old.Read<string>(stored)!;                                             // under the filter and limits of the serializer
byte[] converted = old.Convert<string>(stored);                                      // the same as a payload of Wire
Console.WriteLine($"{text} {serializer.Deserialize<string>(converted)} {BinaryFormatterReader.IsBinaryFormatter(converted)}");
#endregion
